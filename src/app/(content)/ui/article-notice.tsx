import { Notice } from '@/core/ui/notice'

/** By the value of `?done=`, which names the action that was just completed. */
const messages = {
  created: 'Draft saved. Only editors and admins can see it until you publish it.',
  saved: 'Changes saved.',
  published: 'Article published. All signed-in users can now read it.',
  unpublished: 'Article unpublished. It is a draft again.',
  deleted: 'Article deleted.',
} as const

export function ArticleNotice({ done }: { done: keyof typeof messages | undefined }) {
  if (!done) return null
  return (
    <div className="mb-6">
      <Notice tone="positive">{messages[done]}</Notice>
    </div>
  )
}
