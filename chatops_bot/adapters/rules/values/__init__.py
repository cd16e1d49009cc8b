"""The values that an utterance gives: numbers, places, lengths of time, images, and what is counted from them."""
