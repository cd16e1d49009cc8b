"""One utterance made ready for the tables: slips of writing put right, names masked, numbers read."""
