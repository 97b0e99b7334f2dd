"""Repository files (spec 2.6), folders, branches and tags."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from platui_emulator.http.render.people import Links, commit, fields, moment, user

if TYPE_CHECKING:
    from platui_emulator.records import (
        Branch,
        Commit,
        File,
        FileChange,
        MergeRequest,
        Project,
        Tag,
        TreeEntry,
    )


def file(record: File, ref: str, at: Commit) -> dict[str, Any]:
    return {
        "file_name": record.path.rpartition("/")[2],
        "file_path": record.path,
        "size": len(record.content),
        "encoding": "base64",
        "content": base64.b64encode(record.content).decode("ascii"),
        "content_sha256": hashlib.sha256(record.content).hexdigest(),
        "ref": ref,
        "blob_id": _blob_id(record.content),
        "commit_id": at.sha,
        "last_commit_id": record.last_commit_sha,
        "execute_filemode": False,
    }


def file_headers(body: dict[str, Any]) -> dict[str, str]:
    """Return the headers of a HEAD request for a file."""
    names = {
        "X-Gitlab-Blob-Id": "blob_id",
        "X-Gitlab-Commit-Id": "commit_id",
        "X-Gitlab-Content-Sha256": "content_sha256",
        "X-Gitlab-Encoding": "encoding",
        "X-Gitlab-Execute-Filemode": "execute_filemode",
        "X-Gitlab-File-Name": "file_name",
        "X-Gitlab-File-Path": "file_path",
        "X-Gitlab-Last-Commit-Id": "last_commit_id",
        "X-Gitlab-Ref": "ref",
        "X-Gitlab-Size": "size",
    }
    # Names may hold what no header can: it is encoded.
    return {header: quote(_said(body[key]), safe="/ ") for header, key in names.items()}


def _said(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def tree_entry(record: TreeEntry) -> dict[str, Any]:
    return fields(record, "id name type path mode")


def branch(record: Branch, project: Project, links: Links) -> dict[str, Any]:
    return {
        "name": record.name,
        "commit": commit(record.commit, project, links),
        "merged": False,
        "protected": record.protected,
        "developers_can_push": False,
        "developers_can_merge": record.protected,
        "default": record.default,
        "web_url": links.branch(project, record.name),
    }


def tag(record: Tag, project: Project, links: Links) -> dict[str, Any]:
    """Return a tag with its release."""
    body = commit(record.commit, project, links)
    return {
        "name": record.name,
        "message": record.message,
        "target": record.commit.sha,
        "commit": body,
        "release": {"tag_name": record.name, "description": record.message},
        "protected": record.protected,
        "created_at": body["created_at"],
    }


def change(record: FileChange) -> dict[str, Any]:
    return {
        "diff": record.diff,
        "collapsed": False,
        "too_large": record.too_large,
        "new_path": record.new_path,
        "old_path": record.old_path,
        "a_mode": "0" if record.new else "100644",
        "b_mode": "0" if record.deleted else "100644",
        "new_file": record.new,
        "renamed_file": record.renamed,
        "deleted_file": record.deleted,
        "generated_file": False,
    }


def merge_request(record: MergeRequest, project: Project, links: Links) -> dict[str, Any]:
    author = user(record.author, links)
    return {
        "id": project.id * 10_000 + record.number,
        "iid": record.number,
        "project_id": project.id,
        "title": record.title,
        "description": "",
        "state": record.state,
        "created_at": moment(record.created_at),
        "updated_at": moment(record.merged_at or record.created_at),
        "merged_at": moment(record.merged_at),
        "target_branch": project.default_branch,
        "source_branch": record.branch,
        "author": author,
        "assignees": [author],
        "reviewers": [],
        "labels": [],
        "draft": False,
        "source_project_id": project.id,
        "target_project_id": project.id,
        "web_url": links.merge_request(project, record.number),
    }


def _blob_id(content: bytes) -> str:
    named = hashlib.sha1(b"blob %d\0" % len(content), usedforsecurity=False)
    named.update(content)
    return named.hexdigest()
