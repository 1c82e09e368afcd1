/** Whether `name` is the guard's function, not one of the same name in the file. */
export function importsFromGuard(text, name) {
  const imports = text.matchAll(/^import \{([^}]*)\} from '@\/core\/guard\/[\w-]+'/gm)
  return [...imports].some(([, names]) => names.split(',').some((item) => item.trim() === name))
}
