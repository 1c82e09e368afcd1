// Stands in for `server-only` in the bundle: that package refuses to load outside React's bundler.
export {}
