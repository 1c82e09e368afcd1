// Replaces the package that keeps server code out of the browser bundle.
export {}
