import type { Facts } from '@/doctor/facts'
import { type Finding, reporter } from '@/doctor/finding'

const { error, ok } = reporter('settings')

export function checkSettings({ errors }: Pick<Facts, 'errors'>): Finding[] {
  const others = errors.filter(({ name }) => !name.startsWith('AUTH_SECRET'))
  if (others.length === 0) return [ok('All settings are valid.')]
  return others.map(({ name, message }) =>
    error(`${name} ${message}.`, 'Correct it. The server does not start until then.'),
  )
}
