export const statusLabels = {
  active: 'Active',
  inactive: 'Inactive',
  never_signed_in: 'Never signed in',
} as const
