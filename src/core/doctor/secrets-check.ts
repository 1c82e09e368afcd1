import type { Facts } from '@/core/doctor/facts'
import { type Finding, reporter } from '@/core/doctor/finding'
import { weaknessOf } from '@/core/doctor/weak-secret'

const { error, warning, fine } = reporter('secrets')

const makeOne = 'Make one with openssl rand -base64 32, and use it for nothing else.'

export function checkSecrets({ settings, problems, exposed }: Facts): Finding[] {
  const { AUTH_SECRET, AUTH_SECRET_PREVIOUS, DATA_DIR } = settings
  const unreadable = problems
    .filter(({ name }) => name.startsWith('AUTH_SECRET'))
    .map(({ name, message }) => error(`${name} ${message}.`, makeOne))
  const weakness = AUTH_SECRET && weaknessOf(AUTH_SECRET)
  const weak = weakness ? [(exposed ? error : warning)(`AUTH_SECRET ${weakness}.`, makeOne)] : []
  const old = AUTH_SECRET_PREVIOUS
    ? [
        warning(
          'AUTH_SECRET_PREVIOUS is still set, and still believed.',
          'Take it away an hour after AUTH_SECRET was changed: nothing lasts longer.',
        ),
      ]
    : []
  const all = [...unreadable, ...weak, ...old]
  if (all.length > 0) return all
  return [
    fine(
      AUTH_SECRET
        ? 'AUTH_SECRET looks random.'
        : `One is made up at the first start, and kept in ${DATA_DIR}.`,
    ),
  ]
}
