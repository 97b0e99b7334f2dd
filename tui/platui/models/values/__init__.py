"""What crosses layers: frozen values and protocols, standard library only."""
