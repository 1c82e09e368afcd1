// Replaces `server-only` in the bundle: that package throws outside a React bundler.
export {}
