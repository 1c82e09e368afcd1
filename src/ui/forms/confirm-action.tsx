'use client'

import type { FormAction } from 'plinth/universal/action-result'
import { type ComponentProps, type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../button'
import { Notice } from '../text'
import { HiddenFields } from './field-layout'
import { FormErrors, useFormAction } from './form'
import { ConfirmIdentity, needsIdentity, SubmitButton } from './submit-button'

export interface ConfirmActionProps extends ComponentProps<typeof Confirm> {
  action: FormAction
  fields?: Readonly<Record<string, string>>
  /** The label of the button that runs the action. */
  confirm: string
  /** Where `/confirm` leads back to without JavaScript. */
  page?: string
}

/**
 * Errors are shown next to the button: without JavaScript the page is reloaded and the confirmation
 * is closed.
 */
export default function ConfirmAction(props: ConfirmActionProps) {
  const { action, fields = {}, confirm, page, children, ...dialog } = props
  const { id } = dialog
  const { form, result, submit, pending } = useFormAction(action)
  const error = result?.ok === false && !needsIdentity(result) ? result : undefined
  // The action has run, or failed; it may lead to this same page.
  const close = () => {
    const dialog = document.getElementById(id) as HTMLDialogElement | null
    if (!needsIdentity(result) && !error?.isLost) dialog?.close()
  }
  useOnceDone(pending, close)
  return (
    <div>
      <Confirm {...dialog}>
        {children}
        <form ref={form} action={submit}>
          {error?.isLost && <FormErrors result={error} form={form} />}
          <HiddenFields fields={fields} />
          <ConfirmIdentity result={result} page={page} />
          <SubmitButton variant="danger" className="w-full">
            {confirm}
          </SubmitButton>
        </form>
      </Confirm>
      {error && !error.isLost && (
        <div className="mt-3">
          <Notice>{error.message}</Notice>
        </div>
      )}
    </div>
  )
}

interface ConfirmFormProps {
  action: FormAction
  fields: Readonly<Record<string, string>>
  /** The label of the button that runs the action. */
  confirm: string
  /** The look of that button. */
  variant?: 'danger' | 'primary'
  /** Closes the dialog: the action may lead to this same page, where the row still is. */
  onDone?: () => void
  /** The consequences. */
  children: ReactNode
}

/** The content of a dialog that runs a server action. */
export function ConfirmForm(props: ConfirmFormProps) {
  const { action, fields, confirm, variant = 'danger', onDone, children } = props
  const { form, result, submit, pending } = useFormAction(action)
  useOnceDone(pending, () => {
    if (result?.ok !== false) onDone?.()
  })
  return (
    <>
      {children}
      <form ref={form} action={submit}>
        <FormErrors result={result} form={form} />
        <HiddenFields fields={fields} />
        <ConfirmIdentity result={result} />
        <SubmitButton variant={variant}>{confirm}</SubmitButton>
      </form>
    </>
  )
}

/** Calls `whenDone` each time that an action has finished. */
function useOnceDone(pending: boolean, whenDone: () => void): void {
  const wasPending = useRef(false)
  const latest = useRef(whenDone)
  latest.current = whenDone
  useEffect(() => {
    if (wasPending.current && !pending) latest.current()
    wasPending.current = pending
  }, [pending])
}

interface ConfirmProps {
  /** Unique on the page. */
  id: string
  /** The label of the button that opens it. */
  label: string
  title: string
  /** The consequences. */
  children: ReactNode
  /** The label of the button that closes it. */
  dismiss?: string
  variant?: 'danger' | 'secondary' | 'quiet'
  size?: 'small' | 'medium'
}

/**
 * A confirmation before an irreversible action: a modal dialog. Without JavaScript it is a native
 * popover. It starts on the button that closes it.
 */
function Confirm(props: ConfirmProps) {
  const { id, label, title, children, dismiss = 'Cancel', variant = 'secondary', size } = props
  const titleId = `${id}-title`
  const dialog = useRef<HTMLDialogElement>(null)
  const openAsModal = (event: MouseEvent) => {
    event.preventDefault()
    dialog.current?.showModal()
    dialog.current?.querySelector<HTMLElement>('.dialog-close')?.focus()
  }
  const close = (event: MouseEvent) => {
    event.preventDefault()
    dialog.current?.close()
  }
  useEffect(() => openAsModalInstead(dialog.current), [])
  return (
    <>
      <Button popoverTarget={id} variant={variant} size={size} onClick={openAsModal}>
        {label}
      </Button>
      <dialog ref={dialog} id={id} popover="auto" aria-labelledby={titleId} className="dialog">
        <h2 id={titleId}>{title}</h2>
        <div className="dialog-body">{children}</div>
        <Button
          popoverTarget={id}
          popoverTargetAction="hide"
          onClick={close}
          variant="quiet"
          className="dialog-close"
          autoFocus
        >
          {dismiss}
        </Button>
      </dialog>
    </>
  )
}

/** It may have been opened before React was loaded. */
function openAsModalInstead(dialog: HTMLDialogElement | null): void {
  if (!dialog?.matches(':popover-open')) return
  dialog.hidePopover()
  dialog.showModal()
}
