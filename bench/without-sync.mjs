import fs from 'node:fs'

/** Loaded before the server: what it would cost less if it did not wait for the disk. */
fs.fsyncSync = () => {}
