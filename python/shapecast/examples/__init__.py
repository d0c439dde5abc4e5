"""Programs to try: `python -m shapecast.examples.quickstart`."""
