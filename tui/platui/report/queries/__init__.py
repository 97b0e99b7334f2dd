"""Questions to an opened report: terms, what they find, orders, counts."""
