'use client'

import type { FormAction } from 'plinth/universal/action-result'
import { ConfirmForm, RowDialog } from '@/ui/row-dialog'

interface UnlinkDialogProps {
  providers: readonly { id: string; name: string }[]
  unlink: FormAction
  /** The provider to unlink, from `?unlink=`. */
  selected: string | undefined
  /** The page that shows these providers. */
  href: string
}

export function UnlinkDialog({ providers, unlink, selected, href }: UnlinkDialogProps) {
  return (
    <RowDialog
      name="unlink"
      rows={providers}
      rowKey={({ id }) => id}
      selected={selected}
      href={href}
      title="Unlink this account?"
    >
      {({ id, name }) => (
        <ConfirmForm action={unlink} fields={{ provider: id }} confirm={`Unlink ${name}`}>
          <p>You will no longer be able to sign in with {name}. You can link it again later.</p>
        </ConfirmForm>
      )}
    </RowDialog>
  )
}
