import { Notice } from './notice'

interface FlashNoticeProps<Done extends string> {
  /** The value of `?done=`, which names the action that was just completed. */
  done: Done | undefined
  messages: Readonly<Record<Done, string>>
  /** Shown instead. */
  error?: string | undefined
}

/** A message on the page that an action redirects to. */
export function FlashNotice<Done extends string>({
  done,
  messages,
  error,
}: FlashNoticeProps<Done>) {
  const message = error ?? (done && messages[done])
  if (!message) return null
  return (
    <div className="mb-6">
      <Notice tone={error ? 'danger' : 'positive'}>{message}</Notice>
    </div>
  )
}
