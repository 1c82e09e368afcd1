/** The instructions of a Dockerfile: continued lines are joined, comments are left out. */
export function parseDockerfile(text: string): Instruction[] {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
  return lines.map((line) => {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    const words = rest.split(/\s+/)
    return {
      name,
      rest,
      flags: words.filter((word) => word.startsWith('--')),
      words: words.filter((word) => !word.startsWith('--')),
    }
  })
}

export type Instruction = { name: string; rest: string; flags: string[]; words: string[] }

/** The instructions of the last stage, which is the image. */
export function finalStage(instructions: Instruction[]): Instruction[] {
  return instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'))
}

/** The files and folders that are copied from the project. */
export function copiedPaths(instructions: Instruction[]): string[] {
  return instructions
    .filter(({ name, flags }) => name === 'COPY' && !flags.some((flag) => /^--from=/.test(flag)))
    .flatMap(({ words }) => words.slice(0, -1))
}

/**
 * Whether `.dockerignore` keeps a path out of the build. As Docker reads it, the last pattern that
 * matches the path or a folder above it decides. Knows names, `*` alone and a leading `**` only.
 */
export function isIgnored(ignoreFile: string, path: string): boolean {
  const patterns = ignoreFile.split('\n').filter((line) => !/^(#|$)/.test(line))
  const parts = path.split('/')
  const withParents = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
  return patterns.reduce((ignored, line) => {
    const pattern = line.replace(/^!/, '')
    const found = withParents.some((candidate) => toRegularExpression(pattern).test(candidate))
    return found ? pattern === line : ignored
  }, false)
}

function toRegularExpression(pattern: string): RegExp {
  const [, anyDepth, rest = ''] = /^(\*\*\/)?([\w./*-]+)$/.exec(pattern) ?? []
  if (rest === '' || rest.includes('**')) throw new Error(`Unknown pattern: ${pattern}`)
  const escaped = rest.replaceAll('.', '\\.').replaceAll('*', '[^/]*')
  return new RegExp(`^${anyDepth ? '(.*/)?' : ''}${escaped}$`)
}
