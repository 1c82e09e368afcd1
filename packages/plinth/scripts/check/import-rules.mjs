/**
 * Import rules. packages/plinth/tests/architecture/fixtures has a folder per rule that breaks it, so that a rule
 * that no longer works is noticed. Type imports count: imports.mjs turns them into value
 * imports in the copy that is checked.
 */

/** From the bottom up. A layer imports from itself and the layers below it. */
const layers = [
  { name: 'universal', path: '^packages/plinth/src/universal/' },
  { name: 'config', path: '^packages/plinth/src/config/' },
  { name: 'metrics', path: '^packages/plinth/src/metrics/' },
  { name: 'log', path: '^packages/plinth/src/log/' },
  { name: 'db', path: '^packages/plinth/src/db/' },
  { name: 'http', path: '^packages/plinth/src/http/' },
  { name: 'jobs', path: '^packages/plinth/src/jobs/' },
  { name: 'services', path: '^packages/plinth/src/(audit|mail|rate-limits)/' },
  { name: 'sessions', path: '^packages/plinth/src/auth/sessions/' },
  { name: 'passwords', path: '^packages/plinth/src/auth/passwords/' },
  { name: 'accounts', path: '^packages/plinth/src/auth/accounts/' },
  { name: 'oauth', path: '^packages/plinth/src/auth/(oauth/|[^/]+\\.js$)' },
  { name: 'guard', path: '^packages/plinth/src/guard/' },
  { name: 'modules', path: '^packages/plinth/src/modules/' },
  { name: 'api', path: '^packages/plinth/src/api/' },
  { name: 'server', path: '^packages/plinth/src/(server|doctor|commands)/' },
]

const layerRules = layers.slice(0, -1).map(({ name, path }, index) => ({
  name: `layer-${name}`,
  comment:
    'server → api → modules → guard → auth → {mail, audit, rate-limits} → jobs → http → db → log → metrics → config → universal',
  severity: 'error',
  from: { path },
  to: { path: layers.slice(index + 1).map((layer) => layer.path) },
}))

/** mail, audit and rate-limits do not import each other. */
const serviceRule = {
  name: 'services-are-independent',
  severity: 'error',
  from: { path: '^packages/plinth/src/(audit|mail|rate-limits)/' },
  to: {
    path: '^packages/plinth/src/(audit|mail|rate-limits)/',
    pathNot: '^packages/plinth/src/$1/',
  },
}

const code = '^(src|packages/plinth/src)/'

const databaseCode = [
  '^packages/plinth/src/(auth|audit|db|jobs|rate-limits|mail|recovery|testing)/',
  '^src/app/[^/]+/(data|schema)(/|\\.js$)',
  // A mutation gets the transaction that it writes in.
  '^src/app/.*actions?\\.js$',
  '/tests/',
]

/**
 * In the format of dependency-cruiser.
 *
 * @type {import('dependency-cruiser').IForbiddenRuleType[]}
 */
export const importRules = [
  ...layerRules,
  serviceRule,
  {
    name: 'no-cycles',
    comment: 'A cycle has no top from which to read it.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'core-imports-no-module',
    comment: 'The app depends on core. Manifests and slots hand core what it needs of the app.',
    severity: 'error',
    from: { path: '^packages/plinth/src/' },
    to: { path: '^src/' },
  },
  {
    name: 'modules-are-independent',
    comment: 'A module can be removed by deleting its folder. Shared code moves to core.',
    severity: 'error',
    from: { path: '^src/app/\\(([^)]+)\\)/' },
    to: {
      path: '^(src/app/\\([^)]+\\)|packages/plinth/src/(server|doctor))/',
      pathNot: '^src/app/\\($1\\)/',
    },
  },
  {
    name: 'database-access',
    comment: 'Pages and routes call data functions and mutations, which take the caller’s scope.',
    severity: 'error',
    from: { path: code, pathNot: databaseCode },
    to: {
      path: '(^|/)(drizzle-orm|postgres|@electric-sql)(/|$)|^packages/plinth/src/db/schema',
      // Our own folder, which has the name of the package.
      pathNot: '^packages/plinth/src/db/postgres/',
    },
  },
  {
    name: 'authjs-only-in-oauth',
    comment: 'Sessions are ours. Auth.js speaks OAuth and handles CSRF tokens, nothing else.',
    severity: 'error',
    from: { path: code, pathNot: ['^packages/plinth/src/auth/oauth/', '/tests/'] },
    to: { path: '(^|/)(@auth/core|next-auth)(/|$)' },
  },
  {
    name: 'api-imports-no-next',
    comment: 'The API turns a Request into a Response under any host.',
    severity: 'error',
    from: {
      path: '^packages/plinth/src/(api|http|db|jobs|audit|rate-limits|mail)/',
    },
    to: { path: '(^|/)(next|react|react-dom)(/|$)' },
  },
  {
    name: 'ui-imports-no-server',
    comment: 'Components get plain values; most of them run in the browser.',
    severity: 'error',
    from: { path: '(^src/ui/|^src/app/.*/ui/)' },
    to: {
      path: '^(src/(mail/|providers/|(slots|register)\\.js$)|packages/plinth/src/(?!universal/))',
    },
  },
  {
    name: 'main-is-not-imported',
    comment: 'Importing it runs a command.',
    severity: 'error',
    from: {},
    to: { path: '^packages/plinth/src/main\\.js$' },
  },
  {
    name: 'testing-is-for-tests',
    comment: 'It needs packages that are not installed in production.',
    severity: 'error',
    from: { path: code, pathNot: ['^packages/plinth/src/testing/', '/tests/'] },
    to: { path: '^packages/plinth/src/testing/' },
  },
  {
    name: 'no-dev-dependencies',
    comment: 'Neither they nor packages of another package.json are installed in production.',
    severity: 'error',
    from: { path: code, pathNot: ['^packages/plinth/src/testing/', '/tests/'] },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg'] },
  },
]
