/**
 * Import rules. tests/core/architecture/fixtures has a folder per rule that breaks it, so that a rule
 * that no longer works is noticed. Type imports count: scripts/check/imports.mjs turns them into
 * value imports in the copy that is checked.
 */

/** From the bottom up. A layer imports from itself and the layers below it. */
const layers = [
  { name: 'universal', path: '^src/core/universal/' },
  { name: 'config', path: '^src/core/config/' },
  { name: 'metrics', path: '^src/core/metrics/' },
  { name: 'log', path: '^src/core/log/' },
  { name: 'db', path: '^src/core/db/' },
  { name: 'http', path: '^src/core/http/' },
  { name: 'jobs', path: '^src/core/jobs/' },
  { name: 'services', path: '^src/core/(audit|mail|rate-limits)/' },
  { name: 'sessions', path: '^src/core/auth/sessions/' },
  { name: 'passwords', path: '^src/core/auth/passwords/' },
  { name: 'accounts', path: '^src/core/auth/accounts/' },
  { name: 'oauth', path: '^src/core/auth/(oauth/|[^/]+\\.js$)' },
  { name: 'guard', path: '^src/core/guard/' },
  { name: 'modules', path: '^src/core/modules/' },
  { name: 'api', path: '^src/core/api/' },
  { name: 'server', path: '^src/(server|doctor)/' },
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
  from: { path: '^src/core/(audit|mail|rate-limits)/' },
  to: { path: '^src/core/(audit|mail|rate-limits)/', pathNot: '^src/core/$1/' },
}

const databaseCode = [
  '^src/core/(auth|audit|db|jobs|rate-limits|mail|recovery)/',
  '^src/app/[^/]+/(data|schema)(/|\\.js$)',
  // A mutation gets the transaction that it writes in.
  '^src/app/.*actions?\\.js$',
  '/tests/',
]

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
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
      from: { path: '^src/core/' },
      to: { path: '^src/(?!core/)' },
    },
    {
      name: 'modules-are-independent',
      comment: 'A module can be removed by deleting its folder. Shared code moves to core.',
      severity: 'error',
      from: { path: '^src/app/\\(([^)]+)\\)/' },
      to: { path: '^src/(app/\\([^)]+\\)|server|doctor)/', pathNot: '^src/app/\\($1\\)/' },
    },
    {
      name: 'database-access',
      comment: 'Pages and routes call data functions and mutations, which take the caller’s scope.',
      severity: 'error',
      from: { path: '^src/', pathNot: databaseCode },
      to: {
        path: '(^|/)(drizzle-orm|postgres|@electric-sql)(/|$)|^src/core/db/schema',
        // Our own folder, which has the name of the package.
        pathNot: '^src/core/db/postgres/',
      },
    },
    {
      name: 'authjs-only-in-oauth',
      comment: 'Sessions are ours. Auth.js speaks OAuth and handles CSRF tokens, nothing else.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/core/auth/oauth/' },
      to: { path: '(^|/)(@auth/core|next-auth)(/|$)' },
    },
    {
      name: 'api-imports-no-next',
      comment: 'The API turns a Request into a Response under any host.',
      severity: 'error',
      from: { path: '^src/(api\\.js|core/(api|http|db|jobs|audit|rate-limits|mail)/)' },
      to: { path: '(^|/)(next|react|react-dom)(/|$)' },
    },
    {
      name: 'ui-imports-no-server',
      comment: 'Components get plain values; most of them run in the browser.',
      severity: 'error',
      from: { path: '(^src/ui/|^src/app/.*/ui/)' },
      to: {
        path: '^src/(server/|doctor/|mail/|providers/|(slots|register)\\.js$|core/(?!universal/))',
      },
    },
    {
      name: 'entry-points-are-not-imported',
      comment: 'Importing one starts a server or another program.',
      severity: 'error',
      from: {},
      to: { path: '^src/(server|admin-create|backup|doctor|migrate|recovery|restore)\\.js$' },
    },
    {
      name: 'no-dev-dependencies',
      comment: 'They are not installed in production.',
      severity: 'error',
      from: { path: '^src/', pathNot: '/tests/' },
      to: { dependencyTypes: ['npm-dev'] },
    },
  ],
  options: { doNotFollow: { path: 'node_modules' } },
}
