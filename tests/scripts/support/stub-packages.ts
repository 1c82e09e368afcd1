import { join } from 'node:path'

export const compilerPackage = `@next/swc-${process.platform}-${process.arch}`

/** Fast stubs for packages that take half a minute to install or run. */
export function stubPackages(repository: string) {
  const environment = join(repository, 'node_modules', '@next', 'env')
  return {
    'packages/next/package.json': manifest('next'),
    'packages/next/dist/bin/next': buildsOnePage,
    'packages/compiler/package.json': manifest(compilerPackage),
    'packages/compiler/index.cjs': '',
    'packages/engine/package.json': JSON.stringify({
      name: 'plinth',
      version: '1.0.0',
      type: 'module',
      main: 'dist/main.js',
    }),
    'packages/engine/dist/main.js': servesOrPrints,
    'packages/env/package.json': manifest('@next/env'),
    'packages/env/index.cjs': `module.exports = require(${JSON.stringify(environment)})\n`,
    'packages/vitest/package.json': manifest('vitest'),
    'packages/vitest/vitest.mjs': reportsFromEnvironment,
  }
}

function manifest(name: string) {
  return JSON.stringify({ name, version: '1.0.0', main: 'index.cjs' })
}

/** If the project has a file named `pause`, it writes its pid and never exits. */
const buildsOnePage = `const { existsSync, mkdirSync, writeFileSync } = require('node:fs')
if (existsSync('fail')) {
  process.stderr.write('src/app/page.tsx: a mistake\\n')
  process.exit(1)
}
if (process.argv[2] === 'dev') {
  writeFileSync('pid', String(process.pid))
  process.on('SIGTERM', () => process.exit(0))
  process.on('SIGUSR2', () => process.exit(7))
  setInterval(() => {}, 1000)
  process.stdout.write(\`developing with \${process.argv.slice(3).join(' ')}\\n\`)
} else if (existsSync('pause')) {
  writeFileSync('pid', String(process.pid))
  setInterval(() => {}, 1000)
} else {
  mkdirSync('.next/server/app', { recursive: true })
  writeFileSync('.next/BUILD_ID', String(process.pid))
  writeFileSync('.next/server/app/index.html', '<script>one()</script>')
  writeFileSync('.next/prerender-manifest.json', '{"routes":{}}')
  writeFileSync('.next/app-path-routes-manifest.json', '{"/page":"/"}')
  writeFileSync('.next/server/server-reference-manifest.json', '{"node":{},"encryptionKey":""}')
}
`

/** In each run the next of its results, or the last again. */
const reportsFromEnvironment = `import { existsSync, readFileSync, writeFileSync } from 'node:fs'
const run = existsSync('run') ? Number(readFileSync('run', 'utf8')) : 0
writeFileSync('run', String(run + 1))
const results = JSON.parse(process.env.RESULTS)
const result = { passed: 0, failures: [], skips: [], files: [], ...(results[run] ?? results.at(-1)) }
writeFileSync(process.env.TEST_REPORT, JSON.stringify(result))
process.exit(result.failures.length > 0 ? 1 : 0)
`

/** With a file named `fork` the server is a worker. The other commands print their arguments. */
const servesOrPrints = `import cluster from 'node:cluster'
import { existsSync, readFileSync } from 'node:fs'
const [name, ...args] = process.argv.slice(2)
if (name !== 'start') process.stdout.write(\`\${name}: \${args}\\n\`)
else if (!existsSync('fork')) serve()
else if (cluster.isPrimary) cluster.fork()
else process.stdout.write('worker serves\\n', () => process.exit())

function serve() {
  const busy = setInterval(() => {}, 1000)
  process.on('SIGTERM', () => clearInterval(busy))
  const modules = readFileSync('src/modules.ts', 'utf8').match(/^import \\{/gm) ?? []
  process.stdout.write(\`serving \${modules.length} modules\\n\`)
}
`
