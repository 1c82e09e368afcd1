import { AsyncLocalStorage } from 'node:async_hooks'

// Next sets both in what it bundles and when it starts. The engine is not bundled, and may be loaded before.
Object.assign(globalThis, { AsyncLocalStorage })
process.env.__NEXT_EXPERIMENTAL_AUTH_INTERRUPTS = 'true'
