# every case; made by tests/list-cases
cases = \
