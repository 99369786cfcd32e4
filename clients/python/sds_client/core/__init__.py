"""The client without input and output: generators that yield what is to be done, and are sent what came of it."""
