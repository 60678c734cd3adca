"""A stand-in for Pillow."""
