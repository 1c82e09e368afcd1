import { kinds } from '../generate/kinds/kinds.mjs'

const text = { type: 'string' }
const yes = { type: 'boolean' }
const base = 'folder or tarball of the template version of this app, if it is not found'

/** `usage`, `summary` and `flagHelp` are shown by help. */
export const commands = {
  create: {
    usage: 'create-plinth <folder>',
    summary: 'Create an app with the modules you choose',
    flags: {
      name: text,
      modules: text,
      providers: text,
      yes: { ...yes, short: 'y' },
      'no-git': yes,
      'dry-run': yes,
    },
    flagHelp: {
      name: 'name that users see, 1 to 60 characters (default: the folder name)',
      modules: 'modules, separated by commas, or none (default: prompt)',
      providers: 'OAuth providers, separated by commas, or none (default: prompt)',
      yes: 'do not prompt; use the defaults',
      'no-git': 'do not create a git repository',
      'dry-run': 'show what would be created without creating it',
    },
    choices: async () => (await import('../create/choices.mjs')).describeChoices(),
    load: () => import('./create.mjs'),
  },
  add: {
    usage: 'plinth add <module> …',
    summary: 'Add a module from the template, a folder or a tarball',
    flags: { base: text },
    flagHelp: { base },
    load: () => import('./add.mjs'),
  },
  generate: {
    usage: 'plinth generate <kind> …',
    summary: 'Write a module, or a part of a module',
    flags: {
      owned: yes,
      shared: yes,
      singular: text,
      public: yes,
      admin: yes,
      oauth: yes,
      schedule: text,
      url: text,
      base: text,
      'dry-run': yes,
    },
    kinds,
    load: () => import('./generate.mjs'),
  },
  remove: {
    usage: 'plinth remove <module> …',
    summary: 'Remove a module; its tables are kept',
    flags: { force: yes, 'accept-removed-protection': text, base: text },
    flagHelp: {
      force: 'remove edited files too; the edits are saved as a patch',
      'accept-removed-protection':
        'names of removed modules that protect users, such as security, separated by commas',
      base,
    },
    load: () => import('./remove.mjs'),
  },
  list: {
    usage: 'plinth list',
    summary: 'List installed and available modules',
    flags: { base: text },
    flagHelp: { base },
    load: () => import('./list.mjs'),
  },
  diff: {
    usage: 'plinth diff [module]',
    summary: 'Show your changes to the template',
    flags: { base: text },
    flagHelp: { base },
    load: () => import('./diff.mjs'),
  },
  upgrade: {
    usage: 'plinth upgrade',
    summary: 'Merge a newer version of the template into this app',
    flags: { to: text, base: text, engine: yes, undo: yes, 'dry-run': yes, force: yes },
    flagHelp: {
      to: 'version, tarball or folder to upgrade to (default: the newest version)',
      base,
      engine: 'take only the engine of that version, and the packages that it shares with the app',
      undo: 'restore the files as they were before the last upgrade on this machine',
      'dry-run': 'show the changes without making them',
      force: 'upgrade despite uncommitted changes; with --undo, lose later edits',
    },
    load: () => import('./upgrade.mjs'),
  },
  eject: {
    usage: 'plinth eject',
    summary: 'Copy the sources and tests of the engine into this app, to change them',
    flags: { base: text, force: yes },
    flagHelp: { base, force: 'eject despite uncommitted changes' },
    load: () => import('./eject.mjs'),
  },
  uneject: {
    usage: 'plinth uneject',
    summary: 'Use the package of the engine again, if its sources are unchanged',
    flags: { base: text, force: yes },
    flagHelp: { base, force: 'uneject despite uncommitted changes' },
    load: () => import('./uneject.mjs'),
  },
  recover: {
    usage: 'plinth recover',
    summary: 'Roll back an interrupted command',
    flags: { base: text },
    flagHelp: { base },
    load: () => import('./recover.mjs'),
  },
  render: {
    usage: 'plinth render',
    summary: 'Write this version of the template for a record; used by upgrade',
    flags: { record: text, into: text },
    hidden: true,
    load: () => import('./render.mjs'),
  },
}
