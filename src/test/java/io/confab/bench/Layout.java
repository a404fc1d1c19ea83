package io.confab.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Who is in which room: people are numbered from 0, and so are rooms.
///
/// @param rooms the members of each
record Layout(int people, List<List<Integer>> rooms) {
  static Layout one(int people) {
    return new Layout(people, List.of(IntStream.range(0, people).boxed().toList()));
  }

  static Layout pairs(int rooms) {
    return apart(rooms, 2);
  }

  /// Rooms of so many people each, who are in no other.
  static Layout apart(int rooms, int members) {
    return new Layout(
        rooms * members,
        IntStream.range(0, rooms)
            .mapToObj(r -> IntStream.range(r * members, (r + 1) * members).boxed().toList())
            .toList());
  }

  /// Everybody in a room without others.
  static Layout alone(int people) {
    return new Layout(people, IntStream.range(0, people).mapToObj(List::of).toList());
  }

  /// Everybody is in so many rooms of so many people each.
  static Layout woven(int people, int roomsEach, int members) {
    int count = Math.max(roomsEach, (people * roomsEach + members - 1) / members);
    List<List<Integer>> rooms = new ArrayList<>();
    IntStream.range(0, count).forEach(_ -> rooms.add(new ArrayList<>()));
    for (int person = 0; person < people; person++) {
      for (int k = 0; k < roomsEach; k++) {
        rooms.get((person * roomsEach + k) % count).add(person);
      }
    }
    return new Layout(people, rooms);
  }

  /// The same rooms, of which only the first people are there.
  Layout first(int count) {
    return new Layout(
        count,
        rooms.stream()
            .map(members -> members.stream().filter(person -> person < count).toList())
            .toList());
  }

  /// Of each person the rooms and the place in each, one after the other: room, place, room …
  int[][] places() {
    List<List<Integer>> all = new ArrayList<>();
    IntStream.range(0, people).forEach(_ -> all.add(new ArrayList<>()));
    for (int room = 0; room < rooms.size(); room++) {
      for (int place = 0; place < rooms.get(room).size(); place++) {
        all.get(rooms.get(room).get(place)).addAll(List.of(room, place));
      }
    }
    return all.stream()
        .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
        .toArray(int[][]::new);
  }

  /// A person's place in a room.
  ///
  /// @param own its part of [#places]
  static int place(int[] own, int room) {
    for (int i = 0; i < own.length; i += 2) {
      if (own[i] == room) {
        return own[i + 1];
      }
    }
    throw new IllegalArgumentException("not in room " + room);
  }
}
