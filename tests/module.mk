# the tests
