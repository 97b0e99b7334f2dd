"""Records to the JSON objects of spec §2, with the fields that the hosting platform adds."""
