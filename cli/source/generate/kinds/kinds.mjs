const module = 'an installed module'

const types = {
  string: 'one line, up to 200 characters',
  text: 'several lines, up to 10,000 characters',
  integer: 'a 32-bit integer',
  decimal: 'an exact decimal number',
  boolean: 'a checkbox',
  date: 'a date',
  datetime: 'a date and time in UTC',
  url: 'an http or https URL',
  email: 'an email',
  'enum:a,b': 'one of these values',
  user: 'a user, entered as an email',
}

/** The kinds of code that `plinth generate` writes. `flags` are those of the command that a kind accepts. */
export const kinds = {
  module: {
    usage: 'plinth generate module <name> <field:type> …',
    summary: 'Write a module: table, pages, API and tests',
    arguments: {
      name: 'the plural in lowercase, such as bookmarks or reading-lists',
      'field:type': 'a field of each row, such as title:string; optional with ?: notes:text?',
    },
    types,
    flags: ['owned', 'shared', 'singular'],
    flagHelp: {
      owned: 'every user keeps their own rows, admins see all (default)',
      shared: 'viewers read, editors write, admins delete',
      singular: 'the singular of the name, if it is irregular',
    },
    example:
      "npx plinth generate module bookmarks title:string url:url 'notes:text?' done:boolean due:date",
    load: () => import('./module.mjs'),
  },
  page: {
    usage: 'plinth generate page <module> <path>',
    summary: 'Write a page of a module',
    arguments: { module, path: 'the URL, such as /bookmarks/archive or /bookmarks/[id]/history' },
    flags: ['public', 'admin'],
    flagHelp: {
      public: 'the same for every caller, prerendered',
      admin: 'for admins only (default: for signed-in users)',
    },
    example: 'npx plinth generate page bookmarks /bookmarks/archive',
    load: () => import('./page.mjs'),
  },
  action: {
    usage: 'plinth generate action <module> <name> [field:type …]',
    summary: 'Write a mutation of a module, and its test',
    arguments: {
      module,
      name: 'a verb and its object, such as archive-bookmark',
      'field:type': 'a field of the form, such as reason:string',
    },
    types,
    example: 'npx plinth generate action bookmarks archive-bookmark reason:string',
    load: () => import('./action.mjs'),
  },
  route: {
    usage: 'plinth generate route <module> <method> <path>',
    summary: 'Write an API route of a module',
    arguments: {
      module,
      method: 'get, post, put, patch or delete',
      path: 'below /api, such as /bookmarks/count or /bookmarks/:id/copy',
    },
    example: 'npx plinth generate route bookmarks get /bookmarks/count',
    load: () => import('./route.mjs'),
  },
  mail: {
    usage: 'plinth generate mail <module> <name>',
    summary: 'Write a mail of a module',
    arguments: { module, name: 'what it is about, such as bookmark-shared' },
    example: 'npx plinth generate mail bookmarks bookmark-shared',
    load: () => import('./mail.mjs'),
  },
  job: {
    usage: 'plinth generate job <module> <name>',
    summary: 'Write a background job of a module, and its test',
    arguments: { module, name: 'a verb and its object, such as archive-bookmarks' },
    flags: ['schedule'],
    flagHelp: { schedule: "when it runs, in cron's five fields (default: when it is enqueued)" },
    example: "npx plinth generate job bookmarks archive-bookmarks --schedule '0 3 * * *'",
    load: () => import('./job.mjs'),
  },
  provider: {
    usage: 'plinth generate provider <id>',
    summary: 'Write an OAuth provider',
    arguments: { id: 'in lowercase, such as gitlab; part of the callback URL' },
    flags: ['url', 'oauth'],
    flagHelp: {
      url: 'the URL of the provider, for OpenID Connect the issuer (default: https://<id>.com)',
      oauth: 'OAuth 2.0 with the endpoints of GitHub (default: OpenID Connect)',
    },
    example: 'npx plinth generate provider gitlab --url https://gitlab.com',
    load: () => import('./provider.mjs'),
  },
  migration: {
    usage: 'plinth generate migration <module> <name>',
    summary: 'Write the next migration of a module',
    arguments: { module, name: 'what it does, such as add-tags' },
    example: 'npx plinth generate migration bookmarks add-tags',
    load: () => import('./migration.mjs'),
  },
}
