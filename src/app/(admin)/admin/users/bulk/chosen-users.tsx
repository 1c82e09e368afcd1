import { HiddenFields } from '@/ui/forms/field-layout'

/** Sent with each form of the page. */
export function ChosenUsers({ ids, list }: { ids: readonly string[]; list: string }) {
  return (
    <>
      <HiddenFields fields={{ list }} />
      {ids.map((id) => (
        <input key={id} type="hidden" name="userIds" value={id} />
      ))}
    </>
  )
}
