import type { Facts } from '@/doctor/facts'
import { type Finding, reporter } from '@/doctor/finding'
import { weaknessOf } from '@/doctor/weak-secret'

const { error, warning, ok } = reporter('secrets')

const createOne = 'Create one with openssl rand -base64 32, and use it for nothing else.'

export function checkSecrets({ settings, errors, exposed }: Facts): Finding[] {
  const { AUTH_SECRET, AUTH_SECRET_PREVIOUS, DATA_DIR } = settings
  const invalid = errors
    .filter(({ name }) => name.startsWith('AUTH_SECRET'))
    .map(({ name, message }) => error(`${name} ${message}.`, createOne))
  const weakness = AUTH_SECRET && weaknessOf(AUTH_SECRET)
  const weak = weakness ? [(exposed ? error : warning)(`AUTH_SECRET ${weakness}.`, createOne)] : []
  const old = AUTH_SECRET_PREVIOUS
    ? [
        warning(
          'AUTH_SECRET_PREVIOUS is still set and still accepted.',
          'Remove it one hour after you changed AUTH_SECRET. Nothing signed with it lasts longer.',
        ),
      ]
    : []
  const all = [...invalid, ...weak, ...old]
  if (all.length > 0) return all
  return [
    ok(
      AUTH_SECRET
        ? 'AUTH_SECRET looks random.'
        : `AUTH_SECRET is created at the first start and stored in ${DATA_DIR}.`,
    ),
  ]
}
