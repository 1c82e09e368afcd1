/**
 * What Knip checks in an app, as `knip` in its package.json. Core is an entry as a whole: its tests, which use
 * some of its exports, are not in the app.
 */
export const knip = {
  entry: [
    'src/*.ts',
    'packages/plinth/src/**/*.{ts,mjs}',
    'src/{mail,ui}/**/*.{ts,tsx}',
    'src/app/**/*.dev.{ts,tsx}',
    'src/app/**/worker.mjs',
    // Its tests are core's.
    'src/app/api/reference/*.{ts,tsx}',
    'src/app/*/tests/page-budgets.ts',
    'scripts/**/*.mjs',
    'public/*.js',
    'tests/support/**/*.ts',
    'tests/e2e/support/*.ts',
  ],
  project: ['{src,packages,tests,scripts}/**/*.{ts,tsx,mjs}', 'public/*.js'],
  ignore: ['packages/plinth/tests/architecture/fixtures/**'],
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
