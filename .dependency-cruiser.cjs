/**
 * Who may import whom. Each rule has a fixture that breaks it in tests/architecture/fixtures, so
 * that a rule that no longer works is noticed. The tree is read as JavaScript: dependency-cruiser
 * needs an interface for programs that TypeScript 7 does not have (see scripts/check/imports.mjs).
 */
const databaseRooms = [
  '^src/core/(auth|audit|db|limits|mail)/',
  '^src/app/[^/]+/(data|schema)(/|\\.js$)',
  '/tests/',
]

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'A reader goes down the page once; a circle has no top.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'core-knows-no-module',
      comment: 'Core is what modules stand on: what it needs from them is handed in.',
      severity: 'error',
      from: { path: '^src/core/' },
      to: { path: '^src/(app/|(modules|api|server)\\.js$)' },
    },
    {
      name: 'module-knows-no-other-module',
      comment: 'Each can be removed by deleting its folder. What two need moves to core.',
      severity: 'error',
      from: { path: '^src/app/\\(([^)]+)\\)/' },
      to: { path: '^src/app/\\([^)]+\\)/', pathNot: '^src/app/\\($1\\)/' },
    },
    {
      name: 'database-only-in-its-rooms',
      comment: 'Pages, actions and routes ask data functions, which take the caller’s scope.',
      severity: 'error',
      from: { path: '^src/', pathNot: databaseRooms },
      to: { path: '(^|/)(drizzle-orm|postgres|@electric-sql)(/|$)|^src/core/db/schema' },
    },
    {
      name: 'auth-library-only-in-oauth',
      comment: 'Sessions are ours; the library signs in with other providers and nothing else.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/core/auth/oauth\\.js$' },
      to: { path: '(^|/)(@auth/core|next-auth)(/|$)' },
    },
    {
      name: 'interface-knows-no-next',
      comment:
        'It turns a Request into a Response, whoever the host is. Messages are written in JSX.',
      severity: 'error',
      from: {
        path: '^src/(api\\.js|core/(http|db|audit|limits|mail)/)',
        pathNot: '^src/core/mail/messages/',
      },
      to: { path: '(^|/)(next|react|react-dom)(/|$)' },
    },
    {
      name: 'components-know-no-server',
      comment: 'They get plain values; most of them run in the browser.',
      severity: 'error',
      from: { path: '(^src/core/ui/|^src/app/.*/ui/)' },
      to: { path: '^src/core/(auth|db|doctor|host|http|env|log|settings|start)' },
    },
    {
      name: 'nothing-imports-the-host',
      comment: 'Importing it starts a server, or another program.',
      severity: 'error',
      from: {},
      to: { path: '^src/(server|admin-create|doctor)\\.js$' },
    },
    {
      name: 'no-development-tools-in-the-product',
      comment: 'They are not there where it runs.',
      severity: 'error',
      from: { path: '^src/', pathNot: '/tests/' },
      to: { dependencyTypes: ['npm-dev'] },
    },
  ],
  options: { doNotFollow: { path: 'node_modules' } },
}
