const app = {
  entry: [
    'src/*.ts',
    'src/{mail,ui}/**/*.{ts,tsx}',
    'src/app/**/*.dev.{ts,tsx}',
    'src/app/**/worker.mjs',
    // Its tests are core's.
    'src/app/api/reference/*.{ts,tsx}',
    'src/app/*/tests/page-budgets.ts',
    'scripts/start.mjs',
    'public/*.js',
    'tests/*.ts',
  ],
  project: ['{src,tests,scripts}/**/*.{ts,tsx,mjs}', 'public/*.js'],
}

/** As a whole: its tests, which use some of its exports, are not in the app. */
const engine = {
  entry: ['{src,scripts}/**/*.{ts,mjs}', 'tests/**/*.ts'],
  project: ['{src,scripts,tests}/**/*.{ts,mjs}'],
}

/** The settings of Knip in an app, as `knip` in its package.json. */
export const knip = {
  workspaces: { '.': app, 'packages/plinth': engine },
  ignore: ['packages/plinth/tests/architecture/fixtures/**'],
  exclude: ['optionalPeerDependencies'],
  ignoreBinaries: ['mount', 'umount'],
  ignoreDependencies: [
    '@biomejs/biome',
    'fast-check',
    'next-auth',
    'oidc-provider',
    '@types/oidc-provider',
    'smtp-server',
    'tailwindcss',
  ],
}
