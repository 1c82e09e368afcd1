export const statusLabels = {
  active: 'Active',
  inactive: 'Inactive',
  never_signed_in: 'Never signed in',
  frozen: 'Frozen',
} as const
