/** What the landing page says, once: the page shows it and the interface hands it out. */
export const landing = {
  headline: 'Start on solid ground.',
  lead: 'Accounts, sessions, roles, mail, pages, an HTTP interface and the tests for all of it: one process on PostgreSQL, in code that is yours from the first day.',
  layers: [
    { name: 'Yours', holds: ['What you came to build'] },
    { name: 'Modules', holds: ['pages', 'actions', 'routes', 'tables', 'tests'] },
    { name: 'Core', holds: ['guard', 'auth', 'http', 'db', 'mail', 'audit', 'limits', 'ui'] },
  ],
  claims: [
    {
      title: 'Signed out means signed out',
      text: 'A session is a row. Sign out, change a role, delete a person: it holds at once, and within a tenth of a second on every other instance.',
      file: 'src/core/auth/sessions.ts',
    },
    {
      title: 'No door without a lock',
      text: 'Every page, action and route declares who may use it, what it takes and how often. One that does not, does not compile.',
      file: 'src/core/guard/route.ts',
    },
    {
      title: 'Rules that hold whoever writes',
      text: 'The last admin stays, addresses are unique, the audit trail only grows. The database itself refuses the rest.',
      file: 'src/core/db/migrations/0001_core.sql',
    },
    {
      title: 'An interface that describes itself',
      text: 'OpenAPI is made of the schemas that validate. Every answer of the tests is held against it.',
      file: 'src/core/http/description/document.ts',
    },
    {
      title: 'Works before JavaScript does',
      text: 'Forms are forms. No inline script runs, and the policy that says so is enforced.',
      file: 'src/core/http/content-security-policy.ts',
    },
    {
      title: 'A feature is a folder',
      text: 'Delete it, and its pages, actions, routes and tests are gone from the build. This page is one.',
      file: 'src/app/(landing)/module.ts',
    },
  ],
  roles: [
    { role: 'viewer', may: 'reads what is published' },
    { role: 'editor', may: 'also writes and publishes' },
    { role: 'admin', may: 'does everything, and manages people' },
  ],
  commands: [
    { command: 'npm start', does: 'installs, builds, migrates and serves' },
    { command: 'npm run dev', does: 'the same with reload, a mailbox and local sign-in providers' },
    { command: 'npm test', does: 'brings what it needs and tests everything' },
  ],
} as const
