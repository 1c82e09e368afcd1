import { pathToFileURL } from 'node:url'
import { build } from '../build/build.mjs'
import { check } from '../check/check.mjs'
import { findOutdatedFiles, updateModules } from '../modules/generated.mjs'
import { developmentProviders } from '../modules/providers.mjs'
import { engineProgram, inRoot, nextBin, root } from '../paths.mjs'
import { runAttached } from '../processes.mjs'
import { install } from '../setup/install.mjs'
import { CommandError, printHelp, wantsHelp, withStdoutToStderr } from '../terminal.mjs'
import { editDistance } from '../testing/selected-files.mjs'

export function runCommand(name, args) {
  if (ofCli.includes(name)) return commands.plinth.run([name, ...args])
  if (!Object.hasOwn(commands, name ?? '')) throw unknownCommand(name)
  const { help, run } = commands[name]
  return help && wantsHelp(args) ? printHelp(help) : run(args)
}

function unknownCommand(name) {
  const message = name ? `Unknown command: ${name}.` : 'No command given.'
  const known = [...Object.keys(commands), ...ofCli.filter((word) => !/^-|^help$/.test(word))]
  const [nearest] = known
    .map((command) => ({ command, distance: editDistance(name ?? '', command) }))
    .filter(({ distance }) => distance <= 2)
    .sort((one, other) => one.distance - other.distance)
  const hint = nearest ? ` Did you mean ${nearest.command}?` : ''
  return new CommandError(`${message}${hint} Commands: ${known.sort().join(', ')}.`)
}

/** `npx plinth add` is `npm run plinth -- add`. */
const ofCli = [
  ...[
    'add',
    'create',
    'diff',
    'eject',
    'generate',
    'list',
    'recover',
    'remove',
    'uneject',
    'upgrade',
  ],
  ...['help', '--help', '-h'],
]

/** In the order of their names. The CLI, `plinth`, has its own help. */
const commands = {
  'admin-create': {
    help: {
      usage: 'npm run admin:create -- you@example.com',
      summary: 'Make an account an admin and print a link that sets its password.',
    },
    run: (args) => runInEngine('admin-create', args, installAndBuild),
  },

  backup: {
    help: {
      usage: 'npm run backup -- [file]',
      summary: 'Write a copy of the embedded database to a file, also while the server runs.',
      options: { file: 'name of the copy (a new one in DATA_DIR/backups)' },
    },
    run: (args) => runInEngine('backup', args, quietly(install)),
  },

  build: {
    help: {
      usage: 'npm run build',
      summary: 'Install and build if needed. Then node node_modules/plinth start serves.',
    },
    run: installAndBuild,
  },

  check: {
    help: {
      usage: 'npm run check',
      summary:
        'Update the generated files, then check declarations, types, style, imports and unused code.',
      options: { 'CI=true': 'fail if the generated files are outdated, instead of updating them' },
    },
    async run() {
      await install()
      const { failures } = await check()
      if (failures.length > 0) process.exitCode = 1
    },
  },

  dev: {
    help: {
      usage: 'npm run dev -- [options of next dev]',
      summary: 'Start the development server, which reloads changed files.',
      options: { HOST: 'address to listen at (127.0.0.1)', PORT: 'port to listen at (3000)' },
    },
    run: startDevelopmentServer,
  },

  doctor: {
    help: {
      usage: 'npm run doctor -- [options]',
      summary: 'Check this installation for problems and say how to fix them.',
      options: {
        '--url URL': 'also check the responses of the app at this URL',
        '--json': 'print JSON',
        '--strict': 'exit with 1 on warnings too',
        '--rolling': 'tell whether the running version may serve during the pending migrations',
      },
    },
    run: (args) => runInEngine('doctor', args, quietly(installAndBuild)),
  },

  fix: {
    help: {
      usage: 'npm run fix -- [path …]',
      summary: 'Update the generated files, format the sources, and apply safe fixes of Biome.',
      options: { path: 'format and fix only these files or folders' },
    },
    async run(args) {
      await install()
      await updateModules()
      const biome = inRoot('node_modules', '@biomejs', 'biome', 'bin', 'biome')
      const { code } = await runAttached(process.execPath, [biome, 'check', '--write', ...args])
      process.exitCode = code
    },
  },

  limits: {
    help: {
      usage: 'npm run limits -- clear <IP address or email>',
      summary: 'Clear the rate limits of an IP address or of a user, so that they can try again.',
    },
    run: (args) => runInEngine('limits', args, quietly(install)),
  },

  migrate: {
    help: {
      usage: 'npm run migrate -- [--list]',
      summary: 'Apply the pending migrations.',
      options: { '--list': 'list them instead' },
    },
    run: (args) => runInEngine('migrate', args, quietly(install)),
  },

  modules: {
    help: {
      usage: 'npm run modules -- [--check]',
      summary: 'Update the lists of modules, settings of providers and exports of the engine.',
      options: { '--check': 'fail if a list is outdated, and change nothing' },
    },
    async run(args) {
      if (!args.includes('--check')) return updateModules()
      const [outdated] = await findOutdatedFiles()
      if (!outdated) return
      throw new CommandError(
        `${outdated.path} does not match ${outdated.listedFrom}. Run \`npm run modules\`.`,
      )
    },
  },

  plinth: {
    run(args) {
      if (args[0] === 'doctor') return runCommand('doctor', args.slice(1))
      return import('./plinth.mjs').then(({ run }) => run(args))
    },
  },

  recovery: {
    help: {
      usage: 'npm run recovery -- you@example.com [--open | --allow <email> | --reject]',
      summary: 'Show the recent changes of an account, and decide about its recovery.',
      options: {
        '--open': 'freeze the account: no one can sign in or change anything',
        '--allow <email>': 'let the reader of this email take it back; prints the link',
        '--reject': 'leave the account as it is, no longer frozen',
      },
    },
    run: (args) => runInEngine('recovery', args, quietly(installAndBuild)),
  },

  restore: {
    help: {
      usage: 'npm run restore -- [file]',
      summary: 'Prepare a restored database for use: end its sessions, links and queued mail.',
      options: { file: 'first replace the embedded database with this copy by npm run backup' },
    },
    run: (args) => runInEngine('restore', args, quietly(installAndBuild)),
  },

  start: {
    help: {
      usage: 'npm start',
      summary:
        'Install and build if needed, apply the migrations and serve. Settings: .env.example.',
    },
    /** The arguments of this process stay: a cluster worker runs the same command. */
    run() {
      process.env.NEXT_TELEMETRY_DISABLED = '1'
      return runInEngine('start', [], installAndBuild)
    },
  },

  test: {
    help: {
      usage: 'npm test -- [file …] [options of vitest or playwright]',
      summary:
        'Install, check, build and run all tests; with files only those, with what they need.',
      options: {
        '--all': 'also the slow tests, on both databases (npm run test:all)',
        '--nightly': 'also the tests that take longest (npm run test:nightly)',
      },
    },
    run: (args) => import('./test.mjs').then(({ run }) => run(args)),
  },

  'test-repeat': {
    help: {
      usage: 'npm run test:repeat -- [--times 3] [--load 4] [file …]',
      summary: 'Run the tests several times and list each one that failed even once.',
      options: {
        '--times': 'how often (3)',
        '--load': 'how many processes use the cores meanwhile (0)',
        '--all, --nightly': 'as for npm test',
      },
    },
    run: (args) => import('./test.mjs').then(({ repeat }) => repeat(args)),
  },
}

async function installAndBuild() {
  await install()
  await build()
}

/** For commands whose output is read by programs. */
function quietly(prepare) {
  return () => withStdoutToStderr(prepare)
}

/** In this process, so that the command gets the signals. */
async function runInEngine(name, args, prepare) {
  process.chdir(root)
  await prepare()
  process.argv.splice(2, process.argv.length, name, ...args)
  await import(pathToFileURL(engineProgram).href)
}

async function startDevelopmentServer(args) {
  refuseHostAndPort(args)
  await install()
  await updateModules()
  const settings = await readSettings()
  const { PORT = '3000', HOST = '127.0.0.1' } = settings
  const env = {
    ...process.env,
    ...(await developmentProviders(settings, { host: HOST, port: PORT })),
    NEXT_TELEMETRY_DISABLED: '1',
    // Where a system lists ::1 first, `localhost` would leave 127.0.0.1 closed.
    NODE_OPTIONS: [process.env.NODE_OPTIONS, '--dns-result-order=ipv4first'].join(' ').trim(),
  }
  // Next prints the name that it listens at, and passkeys need this one.
  const hostname = HOST === '127.0.0.1' ? 'localhost' : HOST
  const { code } = await runAttached(
    process.execPath,
    [nextBin, 'dev', '-p', PORT, '-H', hostname, ...args],
    { env },
  )
  process.exitCode = code
}

/** The app reads HOST to refuse unsafe defaults on a public interface, so it must know the real one. */
function refuseHostAndPort(args) {
  const flag = args.find((arg) => /^(-H|-p|--hostname|--port)/.test(arg))
  if (!flag) return
  throw new CommandError(
    `${flag} is not supported. Set HOST and PORT: HOST=127.0.0.1 PORT=3001 npm run dev`,
  )
}

/** Includes .env, which `next dev` reads after it has chosen its port. */
async function readSettings() {
  const { default: nextEnv } = await import('@next/env')
  const environment = { ...process.env }
  const { parsedEnv } = nextEnv.loadEnvConfig(root, true, { info() {}, error() {} })
  return { ...parsedEnv, ...environment }
}
