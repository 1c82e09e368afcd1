// Next, React and the components of mail read NODE_ENV when they are loaded, so it is set before any import. They
// are built for production, and fail with any other value.
Object.assign(process.env, { NODE_ENV: 'production' })
const { runNamed } = await import('#commands/commands')
await runNamed(process.argv.slice(2))

export {}
