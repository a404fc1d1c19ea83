package io.confab.marker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A room as its members have read it, message by message.
final class UnreadModel {
  final List<Said> messages = new ArrayList<>();
  final Map<Integer, Member> members = new HashMap<>();
  boolean sinceJoin;

  /// A message; `mentions` holds people, or everybody.
  static final class Said {
    final int sender;
    boolean deleted;
    Set<Integer> mentions;
    boolean mentionsAll;

    Said(int sender) {
      this.sender = sender;
      this.mentions = Set.of();
    }
  }

  /// How far somebody has read.
  static final class Member {
    final int seenFrom;
    int read;
    @Nullable Integer unreadFrom;

    Member(int newest, boolean sinceJoin) {
      this.seenFrom = sinceJoin ? newest + 1 : 1;
      this.read = newest;
    }

    int place() {
      return unreadFrom == null ? read : Math.min(read, unreadFrom - 1);
    }
  }

  /// What somebody has not read.
  record Count(int readSeq, @Nullable Integer unreadFrom, long unread, long mentions) {}

  int newest() {
    return messages.size();
  }

  Said message(int seq) {
    return messages.get(seq - 1);
  }

  void join(int person) {
    members.put(person, new Member(newest(), sinceJoin));
  }

  void read(int person, int seq) {
    Member member = member(person);
    member.read = Math.max(member.read, seq);
    if (member.unreadFrom != null && seq >= member.unreadFrom) {
      member.unreadFrom = null;
    }
  }

  void markUnread(int person, int seq) {
    Member member = member(person);
    member.unreadFrom = seq > member.read ? null : Math.max(seq, member.seenFrom);
    if (member.unreadFrom != null && member.unreadFrom > member.read) {
      member.unreadFrom = null;
    }
  }

  private Member member(int person) {
    return Optional.ofNullable(members.get(person)).orElseThrow();
  }

  Count count(int person) {
    Member member = member(person);
    List<Said> unread =
        IntStream.rangeClosed(member.place() + 1, newest())
            .mapToObj(this::message)
            .filter(said -> said.sender != person && !said.deleted)
            .toList();
    return new Count(
        member.read,
        member.unreadFrom,
        unread.size(),
        unread.stream().filter(said -> said.mentionsAll || said.mentions.contains(person)).count());
  }
}
