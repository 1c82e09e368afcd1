/** The text of the landing page, for the page and for `GET /api/demo/landing`. */
export const landing = {
  headline: 'Start on solid ground.',
  lead: 'Accounts, sessions, roles, mail, pages, an HTTP API and the tests for all of them: one process on PostgreSQL, in code that you own.',
  layers: [
    { name: 'Your code', parts: ['The product you build'] },
    { name: 'Modules', parts: ['pages', 'actions', 'routes', 'tables', 'tests'] },
    { name: 'Core', parts: ['guard', 'auth', 'http', 'db', 'mail', 'audit', 'rate-limits', 'ui'] },
  ],
  guarantees: [
    {
      title: 'Revoked sessions stop working',
      text: 'Sessions are rows in the database. A sign-out, role change or deletion takes effect on the next request, and within a tenth of a second on every other instance.',
      file: 'src/core/auth/sessions/session.ts',
    },
    {
      title: 'Every entry point is guarded',
      text: 'Every page, server action and API route declares who may use it. An architecture test fails if one does not.',
      file: 'src/core/guard/authorize.ts',
    },
    {
      title: 'The database enforces the rules',
      text: 'The last admin cannot be removed, emails are unique, and the audit log is append-only, whichever code writes to it.',
      file: 'src/core/db/migrations/0001_initial.sql',
    },
    {
      title: 'The API documents itself',
      text: 'The OpenAPI document is generated from the schemas that validate requests. The API tests check every response against it.',
      file: 'src/core/api/openapi/document.ts',
    },
    {
      title: 'Works without JavaScript',
      text: 'Forms are plain HTML forms. The Content-Security-Policy blocks every inline script that is not part of the framework.',
      file: 'src/core/http/headers.ts',
    },
    {
      title: 'A module is one folder',
      text: 'Delete the folder to remove its pages, actions, routes and tests. This page is a module.',
      file: 'src/app/(landing)/module.ts',
    },
  ],
  roles: [
    { role: 'viewer', description: 'Reads published content' },
    { role: 'editor', description: 'Also writes and publishes content' },
    { role: 'admin', description: 'Does everything, and manages users' },
  ],
  commands: [
    { command: 'npm start', description: 'Installs, builds, migrates and serves' },
    {
      command: 'npm run dev',
      description: 'Serves with live reload, a mailbox and local sign-in providers',
    },
    { command: 'npm test', description: 'Installs what it needs and runs all tests' },
  ],
} as const
