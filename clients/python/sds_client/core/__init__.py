"""The client without input and output: generators that yield effects and receive their results."""
