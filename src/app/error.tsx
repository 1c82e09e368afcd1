'use client'

// Next sends this file with every page. Exporting all from here avoids a second chunk.
export { FailurePage as default, NotFoundPage, StatusPage } from '@/ui/status-page'
