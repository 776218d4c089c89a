"""One row of the table that `make bench` prints."""


def verdict(name, value, bound, detail):
    """Print it; false where the bound is broken."""
    good = value <= bound
    print(f"{'ok' if good else 'MISSED':9} {name:54} {value:7.3f}  (bound {bound:g})  {detail}", flush=True)
    return good
