void nothing() {}
