const text = { type: 'string' }
const yes = { type: 'boolean' }
const base = 'a tarball or folder of the version it was written from, if that is no longer found'

/** Each command, what it takes, and where it is. `uses` and `does` are what help shows. */
export const commands = {
  create: {
    uses: 'create-plinth <folder>',
    does: 'a new app, with the modules that you choose',
    flags: {
      name: text,
      modules: text,
      providers: text,
      yes: { ...yes, short: 'y' },
      'no-git': yes,
    },
    says: {
      name: 'what the app is called; else the name of the folder',
      modules: 'which modules, separated by commas, or none; else it asks',
      providers: 'which ways to sign in besides a password, separated by commas, or none',
      yes: 'ask nothing: all that is not said is as usual',
      'no-git': 'no repository',
    },
    load: () => import('./create.mjs'),
  },
  add: {
    uses: 'plinth add <module> …',
    does: "a module of the template's, or one in a folder or a tarball",
    flags: { base: text },
    says: { base },
    load: () => import('./add.mjs'),
  },
  remove: {
    uses: 'plinth remove <module> …',
    does: 'takes a module out; its tables stay',
    flags: { force: yes, base: text },
    says: { force: 'also when files of it were edited; the edits are kept as a patch', base },
    load: () => import('./remove.mjs'),
  },
  list: {
    uses: 'plinth list',
    does: 'the modules there are, and which of them are installed',
    flags: { base: text },
    says: { base },
    load: () => import('./list.mjs'),
  },
  diff: {
    uses: 'plinth diff [module]',
    does: 'what you changed since the template was written here',
    flags: { base: text },
    says: { base },
    load: () => import('./diff.mjs'),
  },
  upgrade: {
    uses: 'plinth upgrade',
    does: "merges the template's changes into this app",
    flags: { to: text, base: text, 'dry-run': yes, force: yes },
    says: {
      to: 'a version, or a tarball or folder of one; else the newest',
      base,
      'dry-run': 'say what it would do, and do nothing',
      force: 'also over changes that are not committed',
    },
    load: () => import('./upgrade.mjs'),
  },
  recover: {
    uses: 'plinth recover',
    does: 'puts back what an interrupted command left half done',
    flags: {},
    load: () => import('./recover.mjs'),
  },
  render: {
    uses: 'plinth render',
    does: 'writes this version of the template for a record; what upgrade asks of other versions',
    flags: { record: text, into: text },
    hidden: true,
    load: () => import('./render.mjs'),
  },
}
