const modules = ['account', 'admin', 'content', 'landing']

/** Every choice of modules, as `--modules` takes it. */
export const combinations = Array.from({ length: 2 ** modules.length }, (_, number) => {
  const chosen = modules.filter((__, place) => (number >> place) & 1)
  return chosen.join(',') || 'none'
})
