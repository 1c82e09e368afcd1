// Loaded by every Node that can load a module at all: no syntax here that Node 12 cannot parse.
import { complaintAbout } from './node-version.mjs'

export function launch(loadCommand) {
  const complaint = complaintAbout(process.version)
  if (complaint) {
    process.stderr.write(`${complaint}\n`)
    process.exitCode = 1
    return
  }
  loadCommand()
    .then((command) => command.run(process.argv.slice(2)))
    .catch((error) => import('./failure.mjs').then((failure) => failure.stopWith(error)))
}
