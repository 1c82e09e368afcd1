import type { Facts } from '@/core/doctor/facts'
import { type Finding, reporter } from '@/core/doctor/finding'

const { error, fine } = reporter('settings')

/** A wrong setting stops the start; here it is one finding among others. */
export function checkSettings({ problems }: Pick<Facts, 'problems'>): Finding[] {
  const others = problems.filter(({ name }) => !name.startsWith('AUTH_SECRET'))
  if (others.length === 0) return [fine('Every setting can be read.')]
  return others.map(({ name, message }) =>
    error(`${name} ${message}.`, 'Correct it: the server does not start like this.'),
  )
}
