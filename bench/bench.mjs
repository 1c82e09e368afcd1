import { exitWithError, printHelp, wantsHelp } from '../packages/plinth/scripts/terminal.mjs'

const help = {
  usage: 'npm run bench -- [quick] [benchmark …]',
  summary: 'Build if needed and measure against targets; prints tables.',
  options: {
    quick: 'fewer and shorter rounds; only the session endpoint unless benchmarks are named',
    benchmark:
      'health, session, overload, pages (default), sign-in, browser, soak, memory, sessions-flat, cache-memory, capacity, coordination, enumeration, mail-enumeration, metrics, users, embedded, exports, node-versions, dev-loop, owned',
  },
}

if (wantsHelp(process.argv.slice(2))) printHelp(help)
else {
  const { runCommand } = await import('../packages/plinth/scripts/commands/commands.mjs')
  await runCommand('build', []).then(() => import('./run-bench.mjs'), exitWithError)
}
