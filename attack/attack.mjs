import { printHelp, wantsHelp } from '../packages/plinth/scripts/terminal.mjs'

const help = {
  usage: 'npm run attack -- [URL] [options]',
  summary:
    'Attack an installation on this machine and print which attacks held (attack/README.md).',
  options: {
    URL: 'a running installation at a loopback address (default: start one)',
    '--quick': 'the short run',
    '--only NAMES': 'some families, separated by commas',
    '--email, --password': 'an account of the running installation',
  },
}

if (wantsHelp(process.argv.slice(2))) printHelp(help)
else await import('./run-attack.mjs')
