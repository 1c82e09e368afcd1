import { pathToFileURL } from 'node:url'
import { build } from '../build/build.mjs'
import { adminBundle, doctorBundle, migrateBundle, serverBundle } from '../build/bundle-server.mjs'
import { check } from '../check/check.mjs'
import { CommandError } from '../errors.mjs'
import { findOutdatedFiles, updateModules } from '../modules/generated.mjs'
import { inRoot, root } from '../paths.mjs'
import { runAttached } from '../processes.mjs'
import { install } from '../setup/install.mjs'
import { printHelp, wantsHelp, withStdoutToStderr } from '../terminal.mjs'

export function runCommand(name, args) {
  if (!Object.hasOwn(commands, name ?? '')) throw unknownCommand(name)
  const { help, run } = commands[name]
  return help && wantsHelp(args) ? printHelp(help) : run(args)
}

function unknownCommand(name) {
  const message = name ? `Unknown command: ${name}` : 'No command given'
  return new CommandError(`${message}. Commands: ${Object.keys(commands).join(', ')}.`)
}

/** In the order of their names. The CLI, `plinth`, has its own help. */
const commands = {
  'admin-create': {
    help: {
      usage: 'npm run admin:create -- you@example.com',
      summary: 'Make an account an admin and print a link that sets its password.',
    },
    async run(args) {
      process.chdir(root)
      await installAndBuild()
      await runProgram(adminBundle, args)
    },
  },

  build: {
    help: {
      usage: 'npm run build',
      summary: 'Install and build if needed. Then node dist/server.js serves.',
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
      const { failed } = await check()
      if (failed > 0) process.exitCode = 1
    },
  },

  dev: {
    help: {
      usage: 'npm run dev -- [options of next dev]',
      summary: 'Start the development server, which reloads changed files.',
      options: { HOST: 'address to listen at (127.0.0.1)', PORT: 'port to listen at (3000)' },
    },
    run: (args) => import('./dev.mjs').then(({ run }) => run(args)),
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
    async run(args) {
      process.chdir(root)
      await withStdoutToStderr(installAndBuild)
      await runProgram(doctorBundle, args)
    },
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

  migrate: {
    help: {
      usage: 'npm run migrate -- [--list]',
      summary: 'Apply the pending migrations.',
      options: { '--list': 'list them instead' },
    },
    async run(args) {
      process.chdir(root)
      await withStdoutToStderr(installAndBuild)
      await runProgram(migrateBundle, args)
    },
  },

  modules: {
    help: {
      usage: 'npm run modules -- [--check]',
      summary: 'Update the lists of modules and OAuth providers from their folders.',
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
    run: (args) => import('./plinth.mjs').then(({ run }) => run(args)),
  },

  start: {
    help: {
      usage: 'npm start',
      summary:
        'Install and build if needed, apply the migrations and serve. Settings: .env.example.',
    },
    /** The arguments of this process stay: a cluster worker runs the same command. */
    async run() {
      process.chdir(root)
      await installAndBuild()
      Object.assign(process.env, { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' })
      await import(pathToFileURL(serverBundle).href)
    },
  },

  test: {
    help: {
      usage: 'npm test -- [file …] [options of vitest or playwright]',
      summary:
        'Install, check, build and run all tests; with files only those, with what they need.',
      options: {
        '--core': "in an app: only core's tests (npm run test:core)",
        '--nightly': 'also the long tests that CI leaves out (npm run test:nightly)',
      },
    },
    run: (args) => import('./test.mjs').then(({ run }) => run(args)),
  },
}

async function installAndBuild() {
  await install()
  await build()
}

/** In this process, so that the program gets the signals. */
async function runProgram(bundle, args) {
  process.argv.splice(2, process.argv.length, ...args)
  process.env.NODE_ENV = 'production'
  await import(pathToFileURL(bundle).href)
}
