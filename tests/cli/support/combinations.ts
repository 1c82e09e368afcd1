import { nightly } from 'plinth/testing'

const modules = ['account', 'admin', 'content', 'landing', 'security']

const all = Array.from({ length: 2 ** modules.length }, (_, number) =>
  modules.filter((__, bit) => (number >> bit) & 1),
)

/** No module, and all but one: each pair occurs together, apart and not at all. */
const covering = all.filter(({ length }) => length === 0 || length === modules.length - 1)

/** Values of `--modules`: every combination at night, a covering set otherwise. */
export const combinations = (nightly ? all : covering).map((chosen) => chosen.join(',') || 'none')
