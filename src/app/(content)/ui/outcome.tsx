import { Notice } from '@/core/ui/notice'

const outcomes = {
  created: 'The draft is saved. Only those who write can see it until you publish it.',
  saved: 'Saved.',
  published: 'Published. Everybody who is signed in can read it now.',
  unpublished: 'Taken back. It is a draft again.',
  deleted: 'Deleted.',
} as const

export type Outcome = keyof typeof outcomes

/** What the last action did, after it led here. */
export function OutcomeNotice({ done }: { done: Outcome | undefined }) {
  if (!done) return null
  return (
    <div className="mb-6">
      <Notice tone="positive">{outcomes[done]}</Notice>
    </div>
  )
}
