"""By what a cause is known again: what sort it is and whom it is about, else its words, masked."""
