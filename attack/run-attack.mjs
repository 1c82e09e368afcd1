import { shutDown } from '../packages/plinth/scripts/processes.mjs'
import { CommandError, exitWithError, print } from '../packages/plinth/scripts/terminal.mjs'
import { authorization } from './families/authorization.mjs'
import { costlyInput } from './families/costly-input.mjs'
import { csrf } from './families/csrf.mjs'
import { entrance } from './families/entrance.mjs'
import { recovery } from './families/recovery.mjs'
import { redirects } from './families/redirects.mjs'
import { replay } from './families/replay.mjs'
import { signInLimits } from './families/sign-in-limits.mjs'
import { slowClients } from './families/slow-clients.mjs'
import { stolenSession } from './families/stolen-session.mjs'
import { xss } from './families/xss.mjs'
import { parseOptions } from './options.mjs'
import { printReport } from './report.mjs'
import { runFamily } from './run-family.mjs'
import { prepareTarget } from './target.mjs'

/** In this order: the last ones slow the server down, use up limits or restart it. */
const families = {
  authorization,
  csrf,
  redirects,
  entrance,
  xss,
  replay,
  'costly-input': costlyInput,
  'slow-clients': slowClients,
  'sign-in-limits': signInLimits,
  'stolen-session': stolenSession,
  recovery,
}

try {
  const options = parseOptions(process.argv.slice(2), Object.keys(families))
  const target = await prepareTarget(options)
  print(`Attacking ${target.url}${options.quick ? ', short run' : ''}`)
  const results = []
  for (const name of options.only) {
    const result = await runFamily(name, families[name], target)
    results.push(result)
    print(`  ${name}: ${(result.milliseconds / 1000).toFixed(1)} s`)
  }
  await target.stop()
  printReport(results)
  if (target.log) reportErrors(target.log())
} catch (error) {
  await exitWithError(error)
}
await shutDown()
process.exit(process.exitCode)

/** An attack that makes the server fail is a weakness even if the response looks harmless. */
function reportErrors(lines) {
  const errors = lines.filter((line) => /"level":"(error|fatal)"/.test(line))
  if (errors.length === 0) return
  throw new CommandError(`The server logged ${errors.length} errors.`, errors.slice(0, 10))
}
