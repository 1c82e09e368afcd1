import { say } from '../scripts/terminal.mjs'
import { benchEnumeration } from './enumeration.mjs'
import { benchHealth } from './health.mjs'
import { benchUsers } from './users.mjs'

const suites = { health: benchHealth, enumeration: benchEnumeration, users: benchUsers }

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(suites, name))
if (unknown.length > 0) {
  say(`There is no benchmark ${unknown.join(', ')}. There are: ${Object.keys(suites).join(', ')}.`)
  process.exit(1)
}
for (const name of wanted.length > 0 ? wanted : Object.keys(suites)) await suites[name]()
process.exit(process.exitCode)
