const app = {
  entry: [
    'src/*.ts',
    'src/{mail,ui}/**/*.{ts,tsx}',
    'src/app/**/*.dev.{ts,tsx}',
    'src/app/**/worker.mjs',
    // Its tests are core's.
    'src/app/api/reference/*.{ts,tsx}',
    'src/app/*/tests/page-budgets.ts',
    'public/*.js',
    'tests/*.ts',
  ],
  project: ['{src,tests,scripts}/**/*.{ts,tsx,mjs}', 'public/*.js'],
}

/** As a whole: some of its exports are for apps. */
const engine = {
  entry: ['{src,scripts}/**/*.{ts,mjs}', 'tests/**/*.ts'],
  project: ['{src,scripts,tests}/**/*.{ts,mjs}'],
}

/** The settings of Knip in an app, as `knip` in its package.json. */
export function knipOf({ ejected }) {
  return {
    ...(ejected
      ? {
          workspaces: { '.': app, 'packages/plinth': engine },
          ignore: ['packages/plinth/tests/architecture/fixtures/**'],
        }
      : app),
    exclude: ['optionalPeerDependencies'],
    ...(ejected && { ignoreBinaries: ['mount', 'umount'] }),
    ignoreDependencies: ejected ? ofEngine : ofInstalledEngine,
  }
}

const ofEngine = [
  '@biomejs/biome',
  'fast-check',
  'next-auth',
  'oidc-provider',
  '@types/oidc-provider',
  'smtp-server',
  'tailwindcss',
]

/** Used by the commands and the test support of the engine. */
const ofInstalledEngine = [
  '@axe-core/playwright',
  '@biomejs/biome',
  'ajv',
  'ajv-formats',
  'dependency-cruiser',
  'esbuild',
  'oidc-provider',
  'tailwindcss',
]
